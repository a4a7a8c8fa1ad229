import { lazy, Suspense, useRef, useState } from 'react'
import type { CreateTask } from '../../../contract/task.ts'
import type { FormHandle } from '../../parts/form/schema-form.tsx'
import { ActionPicker } from '../../parts/task-view/action-picker.tsx'
import ContextSections from '../../parts/task-view/context-sections.tsx'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { visible } from '../../ui/visible-text.tsx'

const SchemaForm = lazy(() => import('../../parts/form/schema-form.tsx'))

/** The task as it appears in the inbox, rendered by the same components. Its form sends nothing. */
export function PayloadPreview({ payload }: { payload: CreateTask }) {
  const [chosenId, setChosenId] = useState(payload.actions[0]?.id)
  const handle = useRef<FormHandle>(null)
  const chosen = payload.actions.find(({ id }) => id === chosenId) ?? payload.actions[0]
  return (
    <ErrorBoundary key={JSON.stringify(payload)} fallback={() => <p>This cannot be drawn.</p>}>
      <div className="railed">
        <h2 className="preview-name">
          <bdi>{visible(payload.task.name)}</bdi>
        </h2>
        <p className="desc">{visible(payload.task.description)}</p>
        <ContextSections context={payload.context} />
      </div>
      <div className="preview-dock">
        <h3>Your answer</h3>
        <ActionPicker
          actions={payload.actions}
          chosenId={chosen?.id}
          isEnded={false}
          onChoose={setChosenId}
        />
        {chosen?.description && <p className="about">{visible(chosen.description)}</p>}
        {chosen?.schema && (
          <Suspense fallback={<div className="skeleton h-8" />}>
            <SchemaForm
              key={chosen.id}
              schema={chosen.schema}
              ui={chosen.ui}
              context={payload.context?.data}
              initial={undefined}
              isFixed={false}
              takesFocus={false}
              onChange={() => undefined}
              onSubmit={() => undefined}
              handle={handle}
            />
          </Suspense>
        )}
      </div>
    </ErrorBoundary>
  )
}
