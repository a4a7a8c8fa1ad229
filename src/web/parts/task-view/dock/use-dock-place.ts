import { type RefObject, useLayoutEffect } from 'react'
import type { Action } from '../../../../contract/action.ts'
import { isObject } from '../../../../contract/forms/json.ts'
import { setPreference, usePreference } from '../../../lib/preferences.ts'
import { useMedia } from '../../../lib/use-media.ts'

const longFormFields = 4

/**
 * Whether the dock is a column beside the context. On very wide screens it always is. On wide screens
 * the person decides; until they do, it is a column if any action of the task has a long form. The
 * chosen action does not matter, so that the dock stays where it is when another one is chosen.
 */
export function useDockPlace(dock: RefObject<HTMLElement | null>, actions: Action[] | undefined) {
  // These widths are also in panes.module.css.
  const isVeryWide = useMedia('(min-width: 96rem)')
  const isWide = useMedia('(min-width: 90rem)')
  const place = usePreference('dockPlace')
  const isPreferred = place === 'beside' || (place === '' && (actions ?? []).some(hasLongForm))
  const isBeside = isVeryWide || (isWide && isPreferred)

  // The columns of the page depend on this attribute. It stays until the next task sets it, so that
  // nothing moves in between.
  useLayoutEffect(() => {
    dock.current?.parentElement?.toggleAttribute('data-beside', isBeside)
  }, [dock, isBeside])

  return {
    isBeside,
    canMove: isWide && !isVeryWide,
    move: () => setPreference('dockPlace', isBeside ? 'below' : 'beside'),
  }
}

function hasLongForm({ schema }: Action): boolean {
  const properties = schema?.properties
  return isObject(properties) && Object.keys(properties).length >= longFormFields
}
