"""How an analysis is declared: its function, its options, what it needs, what it returns; the rest follows from these.

``option`` has what an option is, ``shared`` the options of many analyses, ``analysis`` the declaration, ``checks``
what refuses a wrong call, and ``docstring`` what a reader of ``help()`` sees.
"""
