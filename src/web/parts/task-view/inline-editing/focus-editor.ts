// The form may still have to be loaded, over a slow network.
const maxMilliseconds = 10_000

/**
 * Focuses the editor of a context field once it is on screen, with the cursor at its end. If the
 * field has several editors, a multi-line one takes the focus. Keys pressed until then are meant for
 * the editor and are dropped, because as shortcuts they could answer the task. Function keys and
 * combinations with Ctrl or ⌘, except Enter, keep their effect, because they type nothing. Escape,
 * Tab, a click or a change of the address ends the wait.
 */
export function focusEditor(field: string): void {
  const until = performance.now() + maxMilliseconds
  const { href } = window.location
  const wait = new AbortController()
  const options = { capture: true, signal: wait.signal }
  window.addEventListener('click', () => wait.abort(), options)
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.key === 'Escape' || event.key === 'Tab') return wait.abort()
      // On Windows, AltGr also sets `ctrlKey`, but types a character.
      const isTyped = event.getModifierState('AltGraph') || !(event.ctrlKey || event.metaKey)
      if (/^F\d/.test(event.key) || (!isTyped && event.key !== 'Enter')) return undefined
      event.preventDefault()
      event.stopImmediatePropagation()
    },
    options,
  )
  requestAnimationFrame(function attempt() {
    if (wait.signal.aborted) return
    if (window.location.href !== href) return wait.abort()
    const editors = document.querySelectorAll(`[data-field="${CSS.escape(field)}"] [data-editor]`)
    const find = (control: 'textarea' | 'input') =>
      [...editors].flatMap((editor) => editor.querySelector(control) ?? [])[0]
    const editor = find('textarea') ?? find('input')
    if (!editor && performance.now() < until) return void requestAnimationFrame(attempt)
    wait.abort()
    editor?.focus()
    editor?.setSelectionRange(editor.value.length, editor.value.length)
  })
}
