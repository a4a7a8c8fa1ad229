import { useEffect, useRef, useState } from 'react'
import type { TextKind } from './find-marks.ts'
import type { Marks } from './marks.tsx'

type Found = { marks: (Marks | undefined)[]; share: number }

const kinds: TextKind[] = ['markdown', 'text', 'code']
// If more than this share of the texts differs, marks are off by default.
const maxMarkedShare = 0.5

/**
 * Finds the differences between texts. By default, differences are marked only if the texts are
 * mostly equal.
 */
export function useMarks(values: unknown[], widget: string | undefined) {
  const kind = kinds.find((name) => name === widget)
  const isComparable =
    kind !== undefined && values.length > 1 && values.every((value) => typeof value === 'string')
  const [found, setFound] = useState<{ key: string; result: Found | undefined }>()
  const [chosenIsOn, setChosenIsOn] = useState<boolean>()
  const texts = useRef<unknown[]>([])
  texts.current = values
  // Compared by content, because the array is new at every render.
  const key = isComparable ? values.join('\0') : ''

  useEffect(() => {
    if (!isComparable) return undefined
    let isCurrent = true
    import('./find-marks.ts').then(
      ({ findMarks }) => isCurrent && setFound({ key, result: findMarks(texts.current.map(String), kind) }),
      () => isCurrent && setFound({ key, result: undefined }),
    )
    return () => {
      isCurrent = false
    }
  }, [isComparable, key, kind])

  const result = found?.key === key ? found.result : undefined
  const isNotCompared = found?.key === key && !found.result
  const isOn = result !== undefined && (chosenIsOn ?? result.share <= maxMarkedShare)
  return {
    byPosition: result?.marks ?? [],
    isOn,
    toggle: isComparable && !isNotCompared ? () => setChosenIsOn(!isOn) : undefined,
    /** The texts are too long or too different, or the comparison could not be loaded. */
    isNotCompared,
  }
}
