import { bidiSafe } from '../ui/bidi-safe.tsx'
import { hintsOf, titleOf } from './hints.ts'
import { useShowMore } from './use-show-more.tsx'
import { Value } from './value.tsx'

/** The fields of an object, each with its hints. */
export function ElementFields({
  element,
  hints,
  heading: Heading,
  without = [],
}: {
  element: object
  hints: Record<string, unknown>
  heading: 'h3' | 'h4'
  without?: string[]
}) {
  const fields = Object.entries(element).filter(([name]) => !without.includes(name))
  const { shown, more } = useShowMore(fields, 20, 'fields')
  return (
    <>
      {shown.map(([name, value]) => {
        const fieldHints = hintsOf(hints, name)
        return (
          <section key={name}>
            <Heading>
              <bdi>{bidiSafe(titleOf(name, fieldHints))}</bdi>
            </Heading>
            {fieldHints.description && <p className="help">{bidiSafe(fieldHints.description)}</p>}
            <Value value={value} hints={fieldHints} />
          </section>
        )
      })}
      {more}
    </>
  )
}
