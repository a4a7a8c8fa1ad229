import { afterEach, expect, test } from 'vitest'
import { copyText } from './copy.ts'

afterEach(() => {
  document.body.innerHTML = ''
})

test('over plain HTTP, text is copied from inside the open dialog, and the focus returns', async () => {
  document.body.innerHTML = '<button>Page</button><div role="dialog"><button id="copy">Copy</button></div>'
  const button = document.getElementById('copy')!
  button.focus()
  Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })
  let copied: string | undefined
  document.execCommand = () => {
    const area = document.querySelector<HTMLTextAreaElement>('[role=dialog] textarea')
    area?.focus()
    copied = area?.value
    return true
  }
  expect(await copyText('words')).toBe(true)
  expect(copied).toBe('words')
  expect(document.activeElement).toBe(button)
  expect(document.querySelector('textarea')).toBeNull()
})
