import { memo, Suspense, useState } from 'react'
import type { CreateTask } from '../../../contract/create-task.ts'
import ContextSections from '../../parts/task-view/content/context-sections.tsx'
import { ActionPicker } from '../../parts/task-view/dock/action-picker.tsx'
import taskStyles from '../../parts/task-view/task.module.css'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { onDemandPart } from '../../ui/lazy-part.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import styles from './payload-preview.module.css'

const SchemaForm = onDemandPart(() => import('../../parts/form/schema-form.tsx'))

/**
 * The payload as a task, with the components of the inbox. Nothing can be sent from the preview.
 * Memoized, so that a key press in the payload editor does not render it.
 */
export const PayloadPreview = memo(function PayloadPreview({ payload }: { payload: CreateTask }) {
  const [chosenId, setChosenId] = useState(payload.actions[0]?.id)
  const chosen = payload.actions.find(({ id }) => id === chosenId) ?? payload.actions[0]
  return (
    <ErrorBoundary
      key={JSON.stringify(payload)}
      fallback={() => (
        <p>This preview can't be shown. Change the payload, or send the task and open it in the inbox.</p>
      )}
    >
      <div className={`${taskStyles.withGuideLine} ${styles.previewContent}`}>
        <h2 className={styles.previewName}>
          <bdi>{bidiSafe(payload.task.name)}</bdi>
        </h2>
        <p className="desc">{bidiSafe(payload.task.description)}</p>
        <ContextSections context={payload.context} />
      </div>
      <div className={styles.previewAnswer}>
        <h3>Your answer</h3>
        <ActionPicker
          actions={payload.actions}
          chosenId={chosen?.id}
          isEnded={false}
          onChoose={setChosenId}
        />
        {chosen?.description && <p className={styles.about}>{bidiSafe(chosen.description)}</p>}
        {chosen?.schema && (
          <Suspense fallback={<Skeleton height="2rem" />}>
            <SchemaForm
              key={chosen.id}
              schema={chosen.schema}
              ui={chosen.ui}
              context={payload.context?.data}
            />
          </Suspense>
        )}
      </div>
    </ErrorBoundary>
  )
})
