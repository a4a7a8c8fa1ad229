import { lazy, type ReactNode, Suspense } from 'react'
import type { Context } from '../../../../contract/task-fields.ts'
import { usePreference } from '../../../lib/preferences.ts'
import { bidiSafe } from '../../../ui/bidi-safe.tsx'
import { ErrorBoundary } from '../../../ui/error-boundary.tsx'
import { hintsOf, titleOf } from '../../../widgets/hints.ts'
import { EditableText } from '../../../widgets/inline-editing.tsx'
import { useShowMore } from '../../../widgets/use-show-more.tsx'
import { Value } from '../../../widgets/value.tsx'
import { useChangesShortcut } from '../../form/use-changes-shortcut.ts'
import { EditTools } from '../inline-editing/edit-tools.tsx'
import { changesInContext } from '../revisions/changes-in-context.ts'
import type { PartChange } from '../revisions/revision-changes.ts'
import taskStyles from '../task.module.css'
import styles from './context-sections.module.css'

// Only needed while a revision is unread.
const ChangedField = lazy(() => import('../revisions/changed-field.tsx'))

type Props = {
  context: Context | undefined
  /** What the agent has changed, until the person marks it as read. */
  changes?: PartChange[] | undefined
  /**
   * Shown below the fields. The children include the signal that allows answering, so they must not
   * be rendered before the fields, which are loaded lazily.
   */
  children?: ReactNode
}

/**
 * The context fields in the order sent, rendered according to their hints. A button shows more than
 * the first 100.
 */
export default function ContextSections({ context, changes, children }: Props) {
  const { shown, more } = useShowMore(Object.entries(context?.data ?? {}), 100, 'fields')
  const showsChanges = usePreference('showChanges') === 'on'
  const changed = changesInContext(changes)
  const [firstChanged] = changed.keys()
  useChangesShortcut(changed.size > 0)
  return (
    <>
      {shown.map(([field, value]) => {
        const hints = hintsOf(context?.ui, field)
        const change = changed.get(field)
        const shownValue = <Value value={value} hints={hints} field={field} />
        return (
          <section
            className={`field ${styles.field} ${taskStyles.sectionDot}`}
            key={field}
            data-field={field}
          >
            <h2>
              <bdi>{bidiSafe(titleOf(field, hints))}</bdi>
            </h2>
            {hints.description && <p className="help">{bidiSafe(hints.description)}</p>}
            <EditTools field={field} isFirstChanged={field === firstChanged} />
            <EditableText path={[field]}>
              {change && showsChanges ? (
                <ErrorBoundary fallback={() => shownValue}>
                  <Suspense fallback={shownValue}>
                    <ChangedField change={change} widget={hints.widget}>
                      {shownValue}
                    </ChangedField>
                  </Suspense>
                </ErrorBoundary>
              ) : (
                shownValue
              )}
            </EditableText>
          </section>
        )
      })}
      {more}
      {children}
    </>
  )
}
