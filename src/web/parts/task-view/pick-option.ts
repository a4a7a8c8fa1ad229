/**
 * Selects option `n` of the focused choice; else calls `otherwise`, for example to pick a compared pane;
 * else uses the only choice of the form. Returns false if there is nothing to select.
 */
export function pickOption(
  n: number,
  form: string,
  otherwise: (n: number) => boolean = () => false,
): boolean {
  const focused = document.activeElement?.closest('[data-choice]')
  if (!focused && otherwise(n)) return true
  const choices = document.querySelectorAll(`${form} [data-choice]`)
  const choice = focused ?? (choices.length === 1 ? choices[0] : undefined)
  const option = choice?.querySelectorAll<HTMLInputElement>('input')[n]
  if (!option || option.disabled) return false
  option.click()
  option.focus()
  return true
}
