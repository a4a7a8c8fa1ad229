import { visible } from '../ui/visible-text.tsx'
import { hintsOf, titleOf } from './hints.ts'
import { Value } from './value.tsx'

/** List elements whose fields have hints of their own. */
export function HintedElements({ elements, hints }: { elements: object[]; hints: Record<string, unknown> }) {
  return (
    <ol className="elements">
      {elements.map((element, n) => (
        <li key={n}>
          <ElementFields element={element} hints={hints} heading="h3" />
        </li>
      ))}
    </ol>
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
  return Object.entries(element)
    .filter(([name]) => !without.includes(name))
    .map(([name, value]) => {
      const own = hintsOf(hints, name)
      return (
        <section key={name}>
          <Heading>
            <bdi>{visible(titleOf(name, own))}</bdi>
          </Heading>
          {own.description && <p className="help">{visible(own.description)}</p>}
          <Value value={value} hints={own} />
        </section>
      )
    })
}
