/** Amounts in words that a text may not use unless the figures do. One to three are ordinary prose. */
const amounts = new Set(
  `zero four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty
  thirty forty fifty sixty seventy eighty ninety hundred hundreds thousand thousands million half third thirds quarter
  quarters fifth fifths tenth tenths twice double doubled doubles triple tripled triples dozen dozens`.split(
    /\s+/,
  ),
)

/** The numbers of a text that are not among the figures, as they are written. */
export function inventedNumbers(text: string, figures: string): string[] {
  const known = new Set(numbersIn(figures))
  return [...new Set(numbersIn(withoutListMarkers(text)).filter((number) => !known.has(number)))]
}

function numbersIn(text: string): string[] {
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    // IDs and references are not amounts.
    .replace(/\b[a-z]{3}_[0-9a-z]+/g, ' ')
    .replace(/\[\d+\]/g, ' ')
  // A date is one figure, not three.
  const dates = plain.match(/\b\d{4}-\d{2}-\d{2}\b/g) ?? []
  const rest = plain.replace(/\b\d{4}-\d{2}-\d{2}\b/g, ' ')
  const digits = rest.match(/\p{N}+(?:[.,]\p{N}+)*/gu) ?? []
  const words = rest.match(/\p{L}+/gu) ?? []
  return [...dates, ...digits.map(withoutSeparators), ...words.filter((word) => amounts.has(word))]
}

/** "1,000" is 1000, "0.50" is 0.5. */
function withoutSeparators(number: string): string {
  const digits = number.replace(/,(?=\d{3}(?:\D|$))/g, '')
  const value = Number(digits)
  return Number.isNaN(value) ? number : String(value)
}

/** "1. … 2. …" numbers steps, as long as it counts up from one. */
function withoutListMarkers(text: string): string {
  let last = 0
  return text.replace(/(^|\s)(\d{1,2})[.)](?=\s)/g, (all, before: string, digits: string) => {
    const number = Number(digits)
    if (number !== last + 1 && number !== 1) return all
    last = number
    return `${before} `
  })
}
