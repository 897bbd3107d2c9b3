/** The names of a catalogue, as help lists them. */
export function catalogNames(catalog: readonly { readonly definition: { readonly name: string } }[]): string {
  return catalog.map(({ definition }) => definition.name).join(", ");
}
