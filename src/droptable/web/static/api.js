// Asking the server. Every refusal is an Error whose message can be shown.
import { language, t } from "./i18n.js";

export class Refused extends Error {
  constructor(problem, status) {
    super(problem.message ?? t("The server answered {status}.", { status }));
    Object.assign(this, { kind: problem.kind, rule: problem.rule, status });
  }
}

export async function request(method, path, body) {
  const address = new URL(`api/${path}`, document.baseURI);
  address.searchParams.set("language", language); // refusals come in it, too
  const sent = fetch(address, {
    method,
    headers: body === undefined ? {} : { "Content-Type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const response = await sent.catch(() => {
    throw new Error(t("No connection: nothing was sent. Try again in a moment."));
  });
  const text = await response.text();
  const data = text ? JSON.parse(text) : null;
  if (!response.ok) throw new Refused(data ?? {}, response.status);
  return data;
}

export const get = (path, values = {}) => request("GET", `${path}?${new URLSearchParams(values)}`);
export const post = (path, body = {}) => request("POST", path, body);
export const put = (path, body) => request("PUT", path, body);
