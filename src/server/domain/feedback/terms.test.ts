import { describe, expect, test } from 'vitest'
import { termsOf } from './terms.ts'
import { hasTheme } from './theme-membership.ts'

const sorted = (text: string) => [...termsOf(text)].sort()

describe('texts that mean the same have the same terms', () => {
  test.each([
    [
      'photo missing',
      [
        'Fotos fehlen',
        'The PICTURES are misssing!!',
        '写真がありません',
        '📷 fehlt',
        'phtoo mising',
        '没有照片',
      ],
    ],
    ['invoice number', ['Rechnungsnummer', 'invoce nubmer', 'numéro de facture', '請求書番号']],
    [
      'wrong address',
      [
        'Falsche Adresse',
        "l'adresse est fausse",
        'l’adresse est fausse',
        'adress incorrect',
        '住所が間違っています',
        '🏠❌',
      ],
    ],
    ['rude', ["It's 'rude'", 'sooo rude', 'UNHÖFLICH', 'unhoeflich', '失礼']],
  ])('%s', (text, others) => {
    for (const other of others) expect([other, sorted(other)]).toEqual([other, sorted(text)])
  })
  test('inflections of words in no word list', () => {
    expect(sorted('watermark watermarks watermarked')).toEqual(['watermark'])
  })
})

test('stop words, numbers, links and single letters are no terms', () => {
  expect(sorted('It is the first of 4711 at https://example.com/photo x')).toEqual([])
  expect(sorted("I don't, I don’t, WWW.EXAMPLE.COM/photo")).toEqual([])
  expect(sorted("It doesn't, you didn’t, it won't, we've, they're, you'll")).toEqual([])
})

test('the invisible parts of an emoji are no terms and do not hide the word behind it', () => {
  expect(sorted('⚠️wrong')).toEqual(['~wrong', '⚠'])
  expect(sorted('👩‍💻')).toEqual(['👩', '💻'])
})

test('a word in several word lists has all of their concepts', () => {
  expect(sorted('納期')).toEqual(['#date', '#delivery'])
})

test('unknown words of languages without spaces are pairs of characters and katakana words', () => {
  expect(sorted('駐車場のカーテン')).toEqual(['カーテン', '車場', '駐車'])
})

test('a hostile text has a bounded number of terms', () => {
  const words = Array.from({ length: 5_000 }, (_, i) => `w${i.toString(36).replace(/\d/g, 'q')}x`)
  expect(termsOf(words.join(' ')).size).toBeLessThanOrEqual(130)
})

describe('membership in a theme', () => {
  test('one of the terms is enough, a pair needs both parts', () => {
    expect(hasTheme(termsOf('Foto fehlt'), ['~missing+#photo'])).toBe(true)
    expect(hasTheme(termsOf('Schönes Foto'), ['~missing+#photo'])).toBe(false)
    expect(hasTheme(termsOf('Schönes Foto'), ['~missing+#photo', '#photo'])).toBe(true)
  })
  test('typos of words in no word list count, other words do not', () => {
    expect(hasTheme(termsOf('the watremark again'), ['watermark'])).toBe(true)
    expect(hasTheme(termsOf('the waterfall again'), ['watermark'])).toBe(false)
  })
})
