/**
 * The characters of Japanese and Chinese words, which have no spaces between them, for a character
 * class with the flag u.
 */
export const cjk = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々`
export const startsWithCjk = new RegExp(`^[${cjk}]`, 'u')
