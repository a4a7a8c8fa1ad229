import { Diff, PencilLine } from 'lucide-react'
import { useContext } from 'react'
import { usePreference } from '../../lib/preferences.ts'
import { Icon } from '../../ui/icon.tsx'
import { KeyCap } from '../../ui/key-cap.tsx'
import { EditPlacesContext } from '../../widgets/edit-places.tsx'
import { toggleChanges } from '../form/use-changes-shortcut.ts'

/** Starts editing the text of a context field; while it is edited, shows or hides the changes. */
export function EditTools({ field, isFirst }: { field: string; isFirst: boolean }) {
  const places = useContext(EditPlacesContext)
  const showsChanges = usePreference('showChanges') === 'on'
  if (!places?.canEdit(field)) return null
  const isEditing = places.isEditingField(field)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset needs a legend; these are buttons, not fields
    <div className="tools" role="group" aria-label="Editing tools">
      {isEditing ? (
        <button type="button" aria-pressed={showsChanges} onClick={toggleChanges}>
          <Icon of={Diff} />
          Changes
          <KeyCap>D</KeyCap>
        </button>
      ) : (
        <button type="button" onClick={() => places.edit(field)}>
          <Icon of={PencilLine} />
          Edit
          {isFirst && <KeyCap>I</KeyCap>}
        </button>
      )}
    </div>
  )
}
