import { bidiSafe } from '../ui/bidi-safe.tsx'
import { hintsOf, titleOf } from './hints.ts'
import { useShowMore } from './use-show-more.tsx'
import { Value } from './value.tsx'
import widgetsStyles from './widgets.module.css'

/** Elements of a list, with hints for their fields. */
export function HintedElements({ elements, hints }: { elements: object[]; hints: Record<string, unknown> }) {
  const { shown, more } = useShowMore(elements, 50, 'elements')
  return (
    <>
      <ol className={widgetsStyles.elements}>
        {shown.map((element, n) => (
          <li key={n}>
            <ElementFields element={element} hints={hints} heading="h3" />
          </li>
        ))}
      </ol>
      {more}
    </>
  )
}

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
