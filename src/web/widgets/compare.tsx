import { isObject, type JsonObject, own } from '../../contract/forms/json.ts'
import { KeyCap } from '../ui/key-cap.tsx'
import { visible } from '../ui/visible-text.tsx'
import { ElementFields } from './hinted-elements.tsx'
import { hintsOf } from './hints.ts'
import type { WidgetProps } from './registry.ts'
import { useSome } from './use-some.tsx'
import { Value } from './value.tsx'

/** List items side by side: name at the head, response below, whatever else was sent under it. */
export function Compare({ value, hints }: WidgetProps) {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isObject)) {
    throw new TypeError('compare needs a list of objects.')
  }
  const fields = hints.items ?? {}
  return <Panes items={value} fields={fields} />
}

function Panes({ items, fields }: { items: JsonObject[]; fields: Record<string, unknown> }) {
  const { shown, more } = useSome(items, 10, 'items')
  return (
    <>
      <div className="compare">
        {shown.map((item, n) => {
          const name = own(item, 'name')
          return (
            <article className="pane" key={n}>
              <header>
                <KeyCap>{n + 1}</KeyCap>
                <h3>
                  <bdi>{typeof name === 'string' && name !== '' ? visible(name) : `Item ${n + 1}`}</bdi>
                </h3>
              </header>
              <div className="pane-body">
                {Object.hasOwn(item, 'response') && (
                  <Value value={own(item, 'response')} hints={responseHints(fields)} />
                )}
                <ElementFields element={item} hints={fields} heading="h4" without={['name', 'response']} />
              </div>
            </article>
          )
        })}
      </div>
      {more}
    </>
  )
}

/** A response is markdown unless the sender says otherwise. */
function responseHints(fields: Record<string, unknown>) {
  return { widget: 'markdown', ...hintsOf(fields, 'response') }
}
