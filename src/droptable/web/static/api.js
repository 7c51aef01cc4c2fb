// @ts-check
// Requests to the server. Every refusal is an Error whose message can be shown to people.

import { language, t } from "./i18n.js";

/** @import { GetRoutes, PostRoutes, Problem, PutRoutes, Query } from "./types.d.ts" */

export class Refused extends Error {
  /**
   * @param {Partial<Problem>} problem
   * @param {number} status
   */
  constructor(problem, status) {
    super(sentence(problem.message ?? t("The server answered {status}.", { status })));
    this.kind = problem.kind;
    this.rule = problem.rule;
    this.status = status;
  }
}

/**
 * @param {"GET" | "POST" | "PUT" | "DELETE"} method
 * @param {string} path
 * @param {unknown} [body]
 */
async function request(method, path, body) {
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

/** @type {GetRoutes} */
export const get = (/** @type {string} */ path, /** @type {Query} */ values = {}) => {
  const query = Object.entries(values).map(([name, value]) => [name, String(value)]);
  return request("GET", `${path}?${new URLSearchParams(query)}`);
};

/** @type {PostRoutes} */
export const post = (/** @type {string} */ path, body = {}) => request("POST", path, body);

/** @type {PutRoutes} */
export const put = (/** @type {string} */ path, /** @type {unknown} */ body) =>
  request("PUT", path, body);

/** Delete something. */
export const remove = (/** @type {string} */ path) => request("DELETE", path);

/**
 * A refusal as a sentence: the server's begin small and end openly, to be read after others.
 * @param {string} text
 */
export function sentence(text) {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…)]$/.test(begun) ? begun : `${begun}.`;
}

/**
 * What went wrong, in words.
 * @param {unknown} error
 */
export function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}
