export { bayesFuse } from "./bayes-fuse.js";
export { mapFuse } from "./map-fuse.js";
export { posFuse } from "./pos-fuse.js";
export { probFuse } from "./prob-fuse.js";
export { segFuse } from "./seg-fuse.js";
export { slideFuse } from "./slide-fuse.js";
