// @ts-check
// Shows the offline page when the server cannot be reached, and opens records that are shared with
// the app. It answers nothing from memory that the server could answer.

const SHELL = "droptable-{version}";
const KEPT = "{kept}".split(" ");
const worker = /** @type {any} */ (self); // its globals are not a page's

worker.addEventListener("install", (/** @type {any} */ event) => {
  event.waitUntil(caches.open(SHELL).then((shell) => shell.addAll(KEPT)));
  worker.skipWaiting();
});

worker.addEventListener("activate", (/** @type {any} */ event) => {
  event.waitUntil(forgetOthers().then(() => worker.clients.claim()));
});

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const path = new URL(request.url).href.replace(worker.registration.scope, "");
  if (request.method === "POST" && path === "share") event.respondWith(openShared(request));
  else if (request.mode === "navigate") event.respondWith(fetchOr(request, "offline"));
  else if (KEPT.includes(path)) event.respondWith(fetchOr(request, path));
});

worker.addEventListener("push", (/** @type {any} */ event) => {
  event.waitUntil(Promise.all([show(event.data.json()), countTurns()]));
});

worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.url));
});

/**
 * Show a notice. One that comes twice has the same tag, and so is seen once; what it says about a
 * table takes the place of what was said before.
 * @param {{ id: string, title: string, text: string, url: string }} notice
 */
async function show({ id, title, text, url }) {
  for (const shown of await worker.registration.getNotifications())
    if (shown.data?.url === url && shown.tag !== id) shown.close();
  const icon = new URL("static/icon.svg", worker.registration.scope).href;
  await worker.registration.showNotification(title, { body: text, tag: id, icon, data: { url } });
}

/** Show on the app's icon how many tables wait, also while no page is open. */
async function countTurns() {
  if (!("setAppBadge" in worker.navigator)) return;
  const address = new URL("api/tables?which=mine&limit=30", worker.registration.scope);
  const answer = await fetch(address).catch(() => null);
  if (!answer?.ok) return;
  const turns = (await answer.json()).filter((/** @type {any} */ table) => table.turn).length;
  await worker.navigator.setAppBadge(turns);
}

/** @param {string} url */
async function open(url) {
  const pages = await worker.clients.matchAll({ type: "window" });
  const there = pages.find((/** @type {any} */ page) => page.url === url);
  await (there ? there.focus() : worker.clients.openWindow(url));
}

async function forgetOthers() {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith("droptable-") && name !== SHELL);
  await Promise.all(old.map((name) => caches.delete(name)));
}

/**
 * @param {Request} request
 * @param {string} kept what is shown without a connection
 */
async function fetchOr(request, kept) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match(new URL(kept, worker.registration.scope))) ?? Response.error();
  }
}

/** @param {Request} request */
async function openShared(request) {
  let place = "replay?shared=refused";
  try {
    const record = /** @type {File} */ ((await request.formData()).get("record"));
    const address = new URL("api/replays", worker.registration.scope);
    const answer = await fetch(address, { method: "POST", body: await record.text() });
    if (answer.ok) place = `replay/${(await answer.json()).key}`;
  } catch {
    // not a file, or no connection: the page says what to do
  }
  return Response.redirect(new URL(place, worker.registration.scope), 303);
}
