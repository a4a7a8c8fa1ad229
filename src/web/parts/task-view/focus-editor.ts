// The form may still have to be loaded.
const maxMilliseconds = 3_000

/** Focuses the editor of a context field once it is on screen, a long text first, with the cursor at its end. */
export function focusEditor(field: string): void {
  const until = performance.now() + maxMilliseconds
  requestAnimationFrame(function attempt() {
    const editors = document.querySelectorAll(`[data-field="${CSS.escape(field)}"] [data-editor]`)
    const find = (control: 'textarea' | 'input') =>
      [...editors].flatMap((editor) => editor.querySelector(control) ?? [])[0]
    const editor = find('textarea') ?? find('input')
    if (editor) {
      editor.focus()
      editor.setSelectionRange(editor.value.length, editor.value.length)
    } else if (performance.now() < until) requestAnimationFrame(attempt)
  })
}
