/** What the language calls an object, such as `Map`, of whatever realm it is. */
export function kindOfObject(value: object): string {
  return Object.prototype.toString.call(value).slice("[object ".length, -1);
}
