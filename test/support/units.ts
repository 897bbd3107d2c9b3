/** The exact value of a double as a BigInt, in units of 2^-1074. */
export function units(value: number): bigint {
  const bits = new DataView(new Float64Array([value]).buffer).getBigUint64(0, true);
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const mantissa = (bits & 0xfffffffffffffn) + (exponent === 0 ? 0n : 1n << 52n);
  const magnitude = mantissa << BigInt(Math.max(exponent, 1) - 1);
  return bits >> 63n === 1n ? -magnitude : magnitude;
}
