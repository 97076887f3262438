/* What the search of the theme lacks. */
"use strict";
(() => {
  // Words that were looked for are marked on the next page: not in the names of icons, where marking fails.
  for (const title of document.querySelectorAll("svg title")) title.classList.add("nohighlight");

  // An entry of the index leads to an empty mark before a heading: its summary is the heading and what it means.
  const summarize = (page, anchor) => {
    const section = new DOMParser().parseFromString(page, "text/html").querySelector(anchor)?.closest("section");
    const heading = section?.querySelector("h1, h2, h3, h4");
    heading?.querySelector(".headerlink")?.remove();
    const says = [...(section?.querySelectorAll(":scope > p") ?? [])].find((p) => p.firstElementChild?.tagName !== "CODE");
    const summary = document.createElement("p");
    summary.className = "context";
    summary.textContent = [heading, says].filter(Boolean).map((part) => part.textContent).join(": ");
    return summary;
  };

  // Pages that have a word in their text all count alike: those for readers come before what is there to be looked up.
  const weigh = ([page, , , , score, , kind]) => {
    if (/^(questions|how-to)\/|^tutorial$/.test(page)) return score + 4;
    if (/^(reproductions|decisions|benchmarks)\/|^(CHANGELOG|architecture|releasing)$/.test(page)) return score - 12;
    if (page.startsWith("commands/")) return score - 3;
    return kind === "object" && score < Scorer.objNameMatch + Scorer.objPrio[1] ? score - 8 : score; // part of a name
  };
  document.addEventListener("DOMContentLoaded", () => {
    if (typeof Search === "undefined") return;
    Scorer.score = weigh;
    // A page that is opened as a file may not read the others.
    if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
    const elsewhere = Search.makeSearchSummary;
    Search.makeSearchSummary = (page, words, anchor) =>
      anchor.startsWith("#index-")
        ? summarize(page, anchor)
        : (elsewhere(page, words, anchor) ?? document.createElement("p"));
  });
})();
