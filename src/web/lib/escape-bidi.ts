// Bidi controls can make text appear in a different order than sent ("pay 100" for "pay 001"), so
// they are shown by name instead of being applied. The values are their names in Unicode.
export const bidiControlNames = new Map([
  ['\u202a', 'LRE'],
  ['\u202b', 'RLE'],
  ['\u202c', 'PDF'],
  ['\u202d', 'LRO'],
  ['\u202e', 'RLO'],
  ['\u2066', 'LRI'],
  ['\u2067', 'RLI'],
  ['\u2068', 'FSI'],
  ['\u2069', 'PDI'],
])
export const bidiControls = /([\u202a-\u202e\u2066-\u2069])/

/**
 * Replaces bidi controls with "[RLO]" and so on, for attributes and titles, which cannot contain
 * markup.
 */
export function escapeBidi(text: string): string {
  return text.replace(new RegExp(bidiControls, 'g'), (control) => `[${bidiControlNames.get(control)}]`)
}
