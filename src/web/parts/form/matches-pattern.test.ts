import { RE2JS } from 're2js'
import { expect, test } from 'vitest'
import { matchesPattern } from './matches-pattern.ts'

const codePoints = [
  ...Array.from({ length: 0x100 }, (_, n) => n),
  ...[0x131, 0x17f, 0x660, 0x1680, 0x2000, 0x2028, 0x2029, 0x202f, 0x205f, 0x212a, 0x3000, 0xd800, 0xfeff],
  ...[0x10000, 0x1f600, 0x10ffff],
]
const characters = codePoints.map((code) => String.fromCodePoint(code))
const texts = ['', ...characters, ...characters.flatMap((character) => [`a${character}`, `${character}1`])]

const sharedPatterns = String.raw`
  \s ^\S+$ [\s] [^\s@] [\Sx] [^\S] [\s-] [-\s] \\s \[\s [\[\s] [\]\S]
  . ^.+$ ^..$ ^.{2}$ \. [.] [^.] [[.] [\].] (.|\s)a
  \w \W \d \D \b \B ^a a$ [^a] \p{L} \P{Lu} \x41 \v (?<name>a)(?:1)?
`
const re2Patterns = String.raw`
  (?i)k (?i:k) (?s:.)b (?P<name>b) [[:alpha:]] [[:alpha:]_[b] [][b] [^][a] []b] [\s-z] \z \pN \Qb\E b{,2}
`

test.each(sharedPatterns.trim().split(/\s+/))('%s matches the same texts as RE2', (pattern) => {
  const re2 = RE2JS.compile(pattern)
  expect(texts.filter((text) => matchesPattern(pattern, text) !== re2.test(text))).toEqual([])
})

test.each(re2Patterns.trim().split(/\s+/))('%s is left to the service', (pattern) => {
  expect(() => RE2JS.compile(pattern)).not.toThrow()
  expect(matchesPattern(pattern, 'a')).toBeUndefined()
})
