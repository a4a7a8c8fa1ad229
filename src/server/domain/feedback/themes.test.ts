import { expect, test } from 'vitest'
import { complete } from '../../lib/event-loop.ts'
import { termsOf } from './terms.ts'
import { hasTheme } from './theme-membership.ts'
import { createThemes } from './themes.ts'

const other = [
  'Ask Tom',
  'Wait for legal',
  'Spam',
  'Old help page',
  'Half of it',
  'Cut the table',
  'Lyon knows',
  'Too early',
]
const photo = [
  'No photo here.',
  'Foto fehlt',
  '写真がありません',
  'Hm. Pictures are missing! Thanks',
  '📷?',
  'image not attached',
]

/** Every second text of 40 is about a photo. Task 0 is the newest. */
function themesOf(addOthers: (themes: ReturnType<typeof createThemes>) => void) {
  const themes = createThemes()
  for (let i = 0; i < 40; i++) {
    const text = i % 2 ? other[i % other.length]! : photo[(i / 2) % photo.length]!
    themes.add(`tsk_${i}`, text, true)
  }
  addOthers(themes)
  return complete(themes.finish())
}

test('a theme has quotations, words as people write them, its newest tasks, and terms that find it again', () => {
  const { themes, compared } = themesOf((themes) => {
    for (let i = 0; i < 60; i++) themes.add(`tsk_ok${i}`, `Fine, ${other[i % other.length]}`, false)
  })
  expect(compared).toBe(true)
  const [first] = themes
  expect(first).toMatchObject({ negative: 20, negativeTexts: 40, others: 0, otherTexts: 60 })
  expect(first!.taskIds).toEqual(Array.from({ length: 20 }, (_, i) => `tsk_${2 * i}`))
  expect(first!.quotes.length).toBe(3)
  expect(photo).toContain(first!.quotes[0]!.text)
  expect(photo.join(' ').toLowerCase()).toContain(first!.words[0])
  expect(hasTheme(termsOf('Wo ist das Bild?'), first!.terms)).toBe(true)
  expect(hasTheme(termsOf('Ask Tom'), first!.terms)).toBe(false)
})

test('a theme quotes texts that are about no larger theme, if it has any', () => {
  const themes = createThemes()
  for (let i = 0; i < 90; i++) {
    const both = 'Too formal for such a short question.'
    themes.add(`tsk_${i}`, i % 3 ? `Too formal, ${other[i % other.length]}` : both, true)
    if (i < 12) themes.add(`tsk_q${i}`, `It answers another question, ${other[i % other.length]}`, true)
    themes.add(`tsk_ok${i}`, `Fine, ${other[i % other.length]}`, false)
  }
  const [formal, question] = complete(themes.finish()).themes
  expect(formal!.words).toContain('formal')
  expect(question!.words).toContain('question')
  expect(question!.quotes).toHaveLength(3)
  for (const { text } of question!.quotes) expect(text).toMatch(/^It answers another question/)
})

test('where only rejections have text, what recurs is counted', () => {
  const { themes, compared } = themesOf(() => {})
  expect(compared).toBe(false)
  expect(themes[0]).toMatchObject({ negative: 20, negativeTexts: 40, others: 0, otherTexts: 0 })
})

test('where only rejections have text, words that the tasks say themselves are no theme', () => {
  const { themes } = themesOf((themes) => {
    for (let i = 0; i < 50; i++) themes.addTask('Approve the picture of the product')
  })
  expect(themes.some(({ terms }) => terms.includes('#photo'))).toBe(false)
})

test('words that only say that something is wrong are no theme', () => {
  const themes = createThemes()
  for (let i = 0; i < 60; i++) {
    themes.add(`tsk_${i}`, `${['Wrong.', 'Falsch!', '👎', 'Bad'][i % 4]} ${other[i % other.length]}`, true)
    themes.add(`tsk_ok${i}`, `Good. ${other[i % other.length]}`, false)
  }
  expect(complete(themes.finish()).themes).toEqual([])
})

test('a theme has words even if all quotations end before them', () => {
  const themes = createThemes()
  for (let i = 0; i < 40; i++) {
    const long = `${'it is what it is and '.repeat(15)} watermarks`
    themes.add(`tsk_${i}`, i % 2 ? other[i % other.length]! : long, true)
    themes.add(`tsk_ok${i}`, `Fine, ${other[i % other.length]}`, false)
  }
  expect(complete(themes.finish()).themes.map(({ words }) => words)).toEqual([['watermark']])
})
