/** An amount of money at 2 decimals; what would be none of them is said to be less. */
export function formatAmount(amount: number): string {
  return amount > 0 && amount < 0.005 ? "< 0.01" : amount.toFixed(2);
}
