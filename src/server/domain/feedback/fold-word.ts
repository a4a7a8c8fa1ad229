const ascii = /^[ -~]*$/
const combiningMarks = /[\u0300-\u036f]/g

/** The text in lower case, with compatibility characters replaced and without accents. */
function foldText(text: string): string {
  if (ascii.test(text)) return text.toLowerCase()
  return text.normalize('NFKC').toLowerCase().normalize('NFD').replace(combiningMarks, '').normalize('NFC')
}

/**
 * One spelling for variants of a word: `so` for sooo, `wahrung` for Währung and Waehrung, `adres`
 * for adress and address.
 */
export function foldWord(word: string): string {
  const plain = foldText(word)
    .replace(/ß/g, 'ss')
    .replace(/(.)\1{2,}/gu, '$1')
  return plain.length < 5 ? plain : plain.replace(/([aou])e/g, '$1').replace(/(.)\1/gu, '$1')
}

const endings = ['ing', 'end', 'ed', 'es', 'en', 'er', 'em', 'et', 'te', 's', 'e', 'n', 't', 'y', 'a', 'o']
const minStem = 4

/**
 * Removes frequent endings of European languages, so that inflections have the same stem. A stem
 * identifies words; it need not be one.
 */
export function stemOf(word: string): string {
  let stem = word
  for (;;) {
    const ending = endings.find((one) => stem.length - one.length >= minStem && stem.endsWith(one))
    if (ending === undefined) return stem
    stem = stem.slice(0, -ending.length)
  }
}
