// @ts-check
// Events with a type: what a module tells those who use it.

/**
 * @template {object} Events the detail of each kind of event
 */
export class Emitter extends EventTarget {
  /**
   * @template {keyof Events & string} Kind
   * @param {Kind} kind
   * @param {(detail: Events[Kind]) => unknown} listener
   */
  on(kind, listener) {
    this.addEventListener(kind, (event) => {
      listener(/** @type {CustomEvent<Events[Kind]>} */ (event).detail);
    });
  }

  /**
   * @template {keyof Events & string} Kind
   * @param {Kind} kind
   * @param {Events[Kind]} detail
   */
  emit(kind, detail) {
    this.dispatchEvent(new CustomEvent(kind, { detail }));
  }
}
