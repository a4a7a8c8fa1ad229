/**
 * A digit picks in the choice that has focus, else what `otherwise` knows, such as a pane to compare, else in the only choice
 * of the form. False: there is nothing to pick.
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
