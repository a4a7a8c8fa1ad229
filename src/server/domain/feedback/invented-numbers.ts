// Which numbers a text contains, in digits or in words. Texts and figures are read by the same
// rules and then compared.

/**
 * The numbers of a text that are not among the figures. A percentage must be a percentage in the
 * figures, too.
 */
export function inventedNumbers(text: string, figures: string): string[] {
  const known = new Set(numbersIn(figures))
  return [...new Set(numbersIn(withoutListMarkers(text)).filter((number) => !known.has(number)))]
}

/**
 * Amounts in words. "One" to "three" count only where `smallAmount` matches, because prose is full
 * of them.
 */
const amounts = new Set(
  `zero four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen
  hundred hundreds thousand thousands million millions billion billions trillion dozen dozens half halves halved third thirds
  quarter quarters fourth fourths fifth fifths sixth seventh eighth ninth tenth tenths twice thrice double doubled doubles
  doubling twofold threefold triple tripled triples tripling quadruple quadrupled fourfold fivefold tenfold
  january february march april june july august september october november december
  vier funf sechs sieben acht neun zehn elf zwolf halfte drittel viertel doppelt
  quatre cinq sept huit neuf dix onze douze treize quatorze quinze vingt trente quarante cinquante soixante mille moitie tiers
  cuatro cinco seis siete ocho nueve diez doce trece catorce quince veinte treinta cuarenta cincuenta sesenta setenta ochenta
  noventa ciento mitad tercio quattro cinque sette otto nove dieci undici dodici venti trenta quaranta cinquanta sessanta
  settanta ottanta novanta cento quatro sete oito dez doze vinte trinta metade vijf zes zeven negen tien twaalf helft`.split(
    /\s+/,
  ),
)
/**
 * Tens, also as part of a word such as "twentythree" or "dreiundzwanzig". English ones only at its
 * start.
 */
const tens =
  /^(?:twenty|thirty|fou?rty|fifty|sixty|seventy|eighty|ninety)|(?:zwanzig|drei(?:ss|ß)ig|vierzig|funfzig|sechzig|siebzig|achtzig|neunzig|hundert|tausend|twintig|dertig|veertig|vijftig|zestig|zeventig|tachtig|negentig|honderd|duizend)/
const smallAmount =
  /\b(?:one|two|three) ?(?:(?:%|percent|per cent|times|out of|in (?:one|two|three|every|\p{N}))|of (?:one|two|three|every|\p{N}))|\b(?:two|three) (?:answers|tasks|rejections|complaints|reviewers|minutes|hours|days|weeks|months)\b/gu
const romanNumeral = /\b[IVXL]{2,}\b|\b[IVXLCDM]+(?= ?(?:%|percent|per cent))/g

const digits = String.raw`\p{N}+(?:[.,]\p{N}+)*`
const percentSign = String.raw`\s*(?:%|percent(?!age)|per cent)`
const amount = new RegExp(
  [
    // "1/4", "3:1" and "1 in 4" are one number each.
    String.raw`${digits}\s*[/⁄∕:]\s*${digits}|${digits} in ${digits}`,
    // "11–18 %" and "between 11 and 18 %" are two percentages.
    String.raw`(?:${digits}\s*(?:[-–—]|to)\s*|between ${digits} and )${digits}${percentSign}`,
    `${digits}(?:${percentSign})?`,
  ].join('|'),
  'gu',
)
const isoDate = /\b\d{4}-\d{2}-\d{2}\b/g

function numbersIn(text: string): string[] {
  const plain = text
    .normalize('NFKC')
    // Emphasis inside a number does not divide it. This also removes the underscore from ids of
    // tasks, which are removed next.
    .replace(/[*_`~]/g, '')
    .replace(/\btsk[0-9a-z]{26}\b|\[\d+\]/gi, ' ')
  const lower = plain.toLowerCase()
  const rest = lower.replace(isoDate, ' ')
  return [
    // A date is one figure, not three.
    ...(lower.match(isoDate) ?? []),
    ...(rest.match(amount) ?? []).flatMap(splitRange),
    ...amountsInWords(rest),
    ...(plain.match(romanNumeral) ?? []),
  ]
}

function splitRange(written: string): string[] {
  if (/[/⁄∕:]| in /.test(written)) return [written.replace(/\s/g, '')]
  const unit = new RegExp(percentSign).test(written) ? ' %' : ''
  return (written.match(new RegExp(digits, 'gu')) ?? []).map((number) => withoutSeparators(number) + unit)
}

function amountsInWords(text: string): string[] {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '')
  // "t w e n t y" and "twen-ty" are read as one word.
  const joined = plain
    .replace(/\b(?:\p{L}[ .-]){3,}\p{L}\b/gu, (spelled) => spelled.replace(/[ .-]/g, ''))
    .replace(/(?<=\p{L})[-\u2010\u2011](?=\p{L})/gu, '')
  const words = [plain, joined].flatMap((one) => one.match(/\p{L}+/gu) ?? [])
  return [
    ...words.filter((word) => amounts.has(word) || tens.test(word)),
    ...(plain.replace(/\s+/g, ' ').match(smallAmount) ?? []),
  ]
}

/** "1,000" is 1000, "0.50" is 0.5. */
function withoutSeparators(number: string): string {
  const digits = number.replace(/,(?=\d{3}(?:\D|$))/g, '')
  const value = Number(digits)
  return Number.isNaN(value) ? number : String(value)
}

/**
 * Removes the numbers of steps ("1. … 2. …") at the start of lines and sentences, as long as they
 * count up from one.
 */
function withoutListMarkers(text: string): string {
  let last = 0
  return text.replace(/(^\W*|[.!?]\s+)(\d{1,2})[.)](?=\s)/gm, (all, before: string, digits: string) => {
    const number = Number(digits)
    if (number !== last + 1 && number !== 1) return all
    last = number
    return `${before} `
  })
}
