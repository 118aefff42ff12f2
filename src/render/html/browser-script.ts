/**
 * What the page does in a browser; without it everything is shown that the page holds as markup. Texts become text
 * nodes, never markup. No backquote and no `${` may be in it.
 */
export const browserScript = `
(function () {
  "use strict";
  var all = function (selector, root) { return Array.prototype.slice.call((root || document).querySelectorAll(selector)); };
  all(".tools").forEach(function (tools) { tools.hidden = false; });

  // The changes beyond those that the page holds as markup, in blocks, so that the browser stays at hand.
  var later = document.getElementById("later");
  var rowClasses = { "+": "row-add", "-": "row-del", "~": "row-chg", "?": "row-dim", "=": "row-dim" };
  var element = function (name, className, text) {
    var made = document.createElement(name);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  };
  var showChange = function (one) {
    var change = element("details", "change later");
    change.open = true;
    var summary = element("summary");
    summary.append(element("span", "sign", one.sign), " ", element("span", "name", one.title), " ");
    if (!one.href) summary.append(element("span", "dim", one.aside));
    change.append(summary);
    if (one.href) {
      var link = element("a", "dim", one.aside);
      link.href = one.href;
      change.append(link);
    }
    var rows = element("pre");
    one.rows.forEach(function (row) { rows.append(element("span", rowClasses[row[0]] || "", row[1] + "\\n")); });
    change.append(rows);
    var family = document.getElementById("family-" + one.family);
    (family || document.body).append(change);
  };
  var pending = later ? JSON.parse(later.textContent) : [];
  all(".beyond").forEach(function (note) { note.hidden = true; });
  var showSome = function () {
    pending.splice(0, 500).forEach(showChange);
    if (pending.length > 0) setTimeout(showSome, 0);
    else { filterChanges(); document.body.dataset.complete = "yes"; }
  };

  var search = document.getElementById("search");
  var filterChanges = function () {
    var words = (search ? search.value : "").toLowerCase().split(/\\s+/).filter(Boolean);
    var shown = 0;
    var changes = all(".change");
    changes.forEach(function (change) {
      var text = change.textContent.toLowerCase();
      var fits = words.every(function (word) { return text.includes(word); });
      change.hidden = !fits;
      if (fits) shown++;
    });
    var count = document.getElementById("found");
    if (count) count.textContent = words.length === 0 ? "" : shown + " of " + changes.length + " changes";
  };
  if (search) search.addEventListener("input", filterChanges);
  all("[data-fold]").forEach(function (button) {
    button.addEventListener("click", function () {
      all(".change").forEach(function (change) { change.open = button.dataset.fold === "open"; });
    });
  });

  var kind = "all";
  var who = document.getElementById("who");
  var filterAccess = function () {
    var words = (who ? who.value : "").toLowerCase().split(/\\s+/).filter(Boolean);
    all("[data-who]").forEach(function (one) {
      var text = one.textContent.toLowerCase();
      var hasKind = kind === "all" || all("[data-kind]", one).some(function (mark) { return mark.dataset.kind === kind; });
      one.hidden = !hasKind || !words.every(function (word) { return text.includes(word); });
    });
  };
  if (who) who.addEventListener("input", filterAccess);
  all("[data-show]").forEach(function (button) {
    button.addEventListener("click", function () {
      kind = button.dataset.show;
      all("[data-show]").forEach(function (other) { other.setAttribute("aria-pressed", String(other === button)); });
      filterAccess();
    });
  });
  all(".mark").forEach(function (mark) {
    mark.addEventListener("click", function () {
      var line = document.getElementById(mark.getAttribute("href").slice(1));
      if (!line || !line.closest("[data-who]")) return;
      line.closest("[data-who]").hidden = false;
      all("details", line).forEach(function (details) { details.open = true; });
    });
  });
  all("[data-copy]").forEach(function (button) {
    button.addEventListener("click", function () {
      navigator.clipboard.writeText(button.parentElement.querySelector("pre").textContent).then(function () {
        button.textContent = "copied";
      });
    });
  });
  showSome();
})();
`;
