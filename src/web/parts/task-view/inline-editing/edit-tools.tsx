import { Diff, PencilLine } from 'lucide-react'
import { useContext } from 'react'
import { usePreference } from '../../../lib/preferences.ts'
import { Icon } from '../../../ui/icon.tsx'
import { KeyCap } from '../../../ui/key-cap.tsx'
import { InlineEditingContext } from '../../../widgets/inline-editing.tsx'
import { toggleChanges } from '../../form/use-changes-shortcut.ts'

type Props = {
  field: string
  /**
   * Whether this is the first field that the agent has changed. Its button shows or hides the changes
   * in all fields.
   */
  isFirstChanged: boolean
}

/**
 * The buttons of a context field: one starts editing its text, the other shows or hides what the
 * person or the agent has changed.
 */
export function EditTools({ field, isFirstChanged }: Props) {
  const editing = useContext(InlineEditingContext)
  const showsChanges = usePreference('showChanges') === 'on'
  const canEdit = editing?.canEdit(field) === true
  const isEditing = canEdit && editing.isEditingField(field)
  if (!canEdit && !isFirstChanged) return null
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset needs a legend; these are buttons, not fields
    <div className="tools" role="group" aria-label="Editing tools">
      {(isEditing || isFirstChanged) && (
        <button type="button" aria-pressed={showsChanges} onClick={toggleChanges}>
          <Icon of={Diff} />
          Changes
          <KeyCap>D</KeyCap>
        </button>
      )}
      {canEdit && !isEditing && (
        <button type="button" onClick={() => editing.edit(field)}>
          <Icon of={PencilLine} />
          Edit
          {editing.firstEditable === field && <KeyCap>I</KeyCap>}
        </button>
      )}
    </div>
  )
}
