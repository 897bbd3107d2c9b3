/** Where the package is: two folders above this file, in `src` and in `dist`. */
export const packageRoot = new URL("../../", import.meta.url);
