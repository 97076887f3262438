/* A button on each block of code: it copies what a reader would type, without prompts and what the machine answered. */
"use strict";
(() => {
  const PROMPTS = /^(\$|>>>|\.\.\.|>) ?/;
  // Where lines begin with a prompt, only these are typed; other blocks are copied whole.
  const getTyped = (text) => {
    const lines = text.replace(/\n+$/, "").split("\n");
    if (!/^(\$|>>>) /.test(lines[0])) return lines.join("\n");
    const python = lines[0].startsWith(">>>");
    const typed = [];
    let open = false; // whether the line before goes on
    for (const line of lines) {
      const prompted = python ? /^(>>>|\.\.\.)( |$)/.test(line) : /^\$ /.test(line) || (open && /^> /.test(line));
      if (prompted || (!python && open)) typed.push(prompted ? line.replace(PROMPTS, "") : line);
      open = !python && (prompted || open) && line.endsWith("\\");
    }
    return typed.join("\n");
  };
  for (const block of document.querySelectorAll("div.highlight")) {
    const code = block.querySelector("pre");
    if (!code || !navigator.clipboard) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.setAttribute("aria-label", "Copy this code");
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(getTyped(code.textContent));
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
    block.append(button);
  }
})();
