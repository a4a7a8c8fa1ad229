import { useContext } from 'react'
import type { Context } from '../../../contract/task.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { EditableText, EditPlacesContext } from '../../widgets/edit-places.tsx'
import { hintsOf, titleOf } from '../../widgets/hints.ts'
import { useShowMore } from '../../widgets/use-show-more.tsx'
import { Value } from '../../widgets/value.tsx'
import styles from './context-sections.module.css'
import { EditTools } from './edit-tools.tsx'
import taskStyles from './task.module.css'

/** All context fields in the order sent, rendered according to their hints. */
export default function ContextSections({ context }: { context: Context | undefined }) {
  const { shown, more } = useShowMore(Object.entries(context?.data ?? {}), 100, 'fields')
  const places = useContext(EditPlacesContext)
  const firstEditable = shown.find(([field]) => places?.canEdit(field))?.[0]
  return (
    <>
      {shown.map(([field, value]) => {
        const hints = hintsOf(context?.ui, field)
        return (
          <section className={`field ${styles.field} ${taskStyles.post}`} key={field} data-field={field}>
            <h2>
              <bdi>{bidiSafe(titleOf(field, hints))}</bdi>
            </h2>
            {hints.description && <p className="help">{bidiSafe(hints.description)}</p>}
            <EditTools field={field} isFirst={field === firstEditable} />
            <EditableText path={[field]}>
              <Value value={value} hints={hints} field={field} />
            </EditableText>
          </section>
        )
      })}
      {more}
    </>
  )
}
