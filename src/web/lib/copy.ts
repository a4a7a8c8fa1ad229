/** The clipboard API requires https or localhost; elsewhere fall back to execCommand. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const area = document.createElement('textarea')
    area.value = text
    area.style.position = 'fixed'
    area.style.opacity = '0'
    const focused = document.activeElement
    // A dialog takes the focus back from elements outside of it.
    const dialog = focused?.closest('[role=dialog], [role=alertdialog]')
    ;(dialog ?? document.body).append(area)
    area.select()
    const copied = document.execCommand('copy')
    area.remove()
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
    return copied
  }
}
