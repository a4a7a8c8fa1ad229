import { useEffect, useRef, useState } from 'react'
import type { TextKind } from './find-marks.ts'
import type { Marks } from './marks.tsx'

type Found = { marks: (Marks | undefined)[]; share: number }

const kinds: Record<string, TextKind> = { markdown: 'markdown', text: 'text', code: 'code' }
// Where more than half is another text, marks help only those who ask for them.
const mostMarked = 0.5

/** What differs between texts. Marked by itself where that says something, else when asked for. */
export function useMarks(values: unknown[], widget: string | undefined) {
  const kind = kinds[widget ?? '']
  const isFit = kind !== undefined && values.length > 1 && values.every((value) => typeof value === 'string')
  const [found, setFound] = useState<{ of: string; result: Found | undefined }>()
  const [wish, setWish] = useState<boolean>()
  const texts = useRef<unknown[]>([])
  texts.current = values
  // Compared by content: the list is a new one at every drawing.
  const key = isFit ? values.join('\0') : ''

  useEffect(() => {
    if (!isFit) return undefined
    let isWanted = true
    import('./find-marks.ts').then(
      ({ findMarks }) =>
        isWanted && setFound({ of: key, result: findMarks(texts.current.map(String), kind) }),
      () => undefined,
    )
    return () => {
      isWanted = false
    }
  }, [isFit, key, kind])

  const result = found?.of === key ? found.result : undefined
  const isTooMuch = found?.of === key && !found.result
  const isOn = result !== undefined && (wish ?? result.share <= mostMarked)
  return {
    of: result?.marks ?? [],
    isOn,
    toggle: isFit && !isTooMuch ? () => setWish(!isOn) : undefined,
    note: isTooMuch ? 'Too much differs to be marked' : isOn ? 'marked' : '',
  }
}
