import { expect, test } from 'vitest'
import { decodeHTMLStrict } from './html-entities.ts'

test('the names of HTML 4 are decoded, and others stay as they were written', () => {
  const decoded = {
    amp: '&',
    lt: '<',
    nbsp: '\u00a0',
    eacute: 'é',
    yuml: 'ÿ',
    Omega: 'Ω',
    hellip: '…',
    euro: '€',
  }
  for (const [name, character] of Object.entries(decoded))
    expect(decodeHTMLStrict(`&${name};`)).toBe(character)
  expect(decodeHTMLStrict('&rarr;')).toBe('→')
  expect(decodeHTMLStrict('&diams;')).toBe('♦')
  expect(decodeHTMLStrict('&constructor;')).toBe('&constructor;')
})
