import { type RefObject, useLayoutEffect } from 'react'
import type { Action } from '../../../contract/action.ts'
import { isObject } from '../../../contract/forms/json.ts'
import { setPreference, usePreference } from '../../lib/preferences.ts'
import { useMedia } from '../../lib/use-media.ts'

const longFormFields = 4

/**
 * Whether the dock is a column beside the context: always on very wide screens; on wide ones if the person chose it, otherwise
 * if a form of the task is long. All its actions count, so that the dock does not move when one is chosen.
 */
export function useDockPlace(dock: RefObject<HTMLElement | null>, actions: Action[] | undefined) {
  const isVeryWide = useMedia('(min-width: 96rem)')
  const isWide = useMedia('(min-width: 90rem)')
  const place = usePreference('dockPlace')
  const isChosen = place === 'beside' || (place === '' && (actions ?? []).some(hasLongForm))
  const isBeside = isVeryWide || (isWide && isChosen)

  // For the columns of the page. It stays until the next task sets it, so that nothing moves in between.
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
