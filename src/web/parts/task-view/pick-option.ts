/**
 * Selects option `n` of the focused choice. Without one it tries `pickElsewhere`, for example a compared
 * pane, then the only choice of the form. Returns false if there is nothing to select.
 */
export function pickOption(
  n: number,
  formSelector: string,
  pickElsewhere: (n: number) => boolean = () => false,
): boolean {
  const focused = document.activeElement?.closest('[data-choice]')
  if (!focused && pickElsewhere(n)) return true
  const choices = document.querySelectorAll(`${formSelector} [data-choice]`)
  const choice = focused ?? (choices.length === 1 ? choices[0] : undefined)
  const option = choice?.querySelectorAll<HTMLInputElement>('input')[n]
  if (!option || option.disabled) return false
  option.click()
  option.focus()
  return true
}
