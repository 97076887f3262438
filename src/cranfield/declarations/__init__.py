"""Declarations of analyses: function, options, inputs and result; commands, checks and help follow from them.

``option`` has what an option is, ``shared`` the options of many analyses, ``analysis`` the declaration, ``checks``
what refuses a wrong call, and ``docstring`` what a reader of ``help()`` sees.
"""
