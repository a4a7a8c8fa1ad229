import { type RefObject, useLayoutEffect } from 'react'
import { rootId } from './control.ts'

/**
 * A comparison that `property` decides. Its panes have the digits 1 to `count`; the options of
 * `property` start at 1 too.
 */
export type PaneDigits = { property: string; count: number }

/**
 * Numbers the choice rows of the form in order, across fields, so that digits select them without
 * focus. The digits are set on the elements, because no field knows how many rows the fields above
 * it have.
 */
export function useOptionDigits(form: RefObject<HTMLElement | null>, panes: PaneDigits | undefined): void {
  const { property, count = 0 } = panes ?? {}
  useLayoutEffect(() => {
    const box = form.current
    if (!box) return undefined
    const groupId = property === undefined ? undefined : `${rootId}_${property}`
    const number = () => numberOptions(box, groupId, count)
    number()
    // Fields come and go with the answer, for example the items of a list.
    const observer = new MutationObserver(number)
    observer.observe(box, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [form, property, count])
}

function numberOptions(form: HTMLElement, groupId: string | undefined, paneCount: number): void {
  const rows = [...form.querySelectorAll<HTMLElement>('[data-option]')]
  const isOfPanes = (row: HTMLElement) => row.closest('[data-options]')?.id === groupId
  const ofPanes = groupId === undefined ? [] : rows.filter(isOfPanes)
  const others = rows.filter((row) => !ofPanes.includes(row))
  let next = ofPanes.length > 0 ? 1 : paneCount + 1
  for (const row of [...ofPanes, ...others]) {
    // A rating is labelled with numbers, so it takes a digit only if the digit is its label.
    const label = row.dataset.option
    const digit = next <= 9 && (!label || label === String(next)) ? String(next) : undefined
    if (digit !== undefined) next += 1
    for (const element of [row, row.querySelector('kbd')]) setDigit(element, digit)
  }
}

function setDigit(element: Element | null, digit: string | undefined): void {
  if (digit === undefined) element?.removeAttribute('data-digit')
  else element?.setAttribute('data-digit', digit)
}

/** Selects the row with this digit in the form. Returns false if there is none, or it is disabled. */
export function pickOption(digit: number, formSelector: string): boolean {
  const row = document.querySelector(`${formSelector} [data-option][data-digit="${digit}"]`)
  const control = row?.querySelector<HTMLInputElement | HTMLButtonElement>('input, button')
  if (!control || control.disabled) return false
  control.click()
  control.focus()
  return true
}
