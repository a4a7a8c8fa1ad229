import { visible } from '../ui/visible-text.tsx'
import { inWords } from './hints.ts'
import { Scalar } from './scalar.tsx'

/** A flat object as one line of label and value. */
export function KeyValues({ object }: { object: object }) {
  return (
    <dl className="kv">
      {Object.entries(object).map(([name, value]) => (
        <div key={name}>
          <dt>
            <bdi>{visible(inWords(name))}</bdi>
          </dt>
          <dd>
            <Scalar value={value} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
