// Elements by function calls: h("button", {class: "main", onclick: go}, "Start").
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name in element && typeof value !== "string") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(
    ...children
      .flat(Infinity)
      .filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

/** Put these children in place of an element's own. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter(Boolean));
  return element;
}

let noticeTimer;
/** Tell something in passing; screen readers announce it. */
export function notify(text, seconds = 5) {
  let box = document.querySelector(".notice");
  box ??= document.body.appendChild(h("div", { class: "notice", role: "status" }));
  box.hidden = false;
  box.textContent = text;
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(() => (box.hidden = true), seconds * 1000);
}

/** A dialog that closes by itself; resolves to what was returned by the button that closed it. */
export function ask(title, body, buttons) {
  return new Promise((resolve) => {
    const dialog = h(
      "dialog",
      { "aria-labelledby": "dialog-title" },
      h("h2", { id: "dialog-title" }, title),
      body,
      h(
        "div",
        { class: "row" },
        buttons.map(([label, value, main]) =>
          h(
            "button",
            {
              class: main ? "main" : "",
              type: "button",
              onclick: () => finish(typeof value === "function" ? value() : value),
            },
            label,
          ),
        ),
      ),
    );
    function finish(value) {
      if (value === undefined) return; // the button's function says: not yet
      dialog.close();
      dialog.remove();
      resolve(value);
    }
    dialog.addEventListener("cancel", () => {
      dialog.remove();
      resolve(null);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
