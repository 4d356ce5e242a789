/** @jsxImportSource #jsx */
import { invalid, Refusal, type ValidationError } from "../../errors.ts";
import type { FormState } from "../../web/forms/form-state.ts";
import { described, Field } from "../../web/forms/forms.tsx";
import type { Markup } from "../../web/jsx/preact.js";
import type { Messages } from "../../web/messages/en.ts";
import { isSquare, ownIconUrl, type SitePictures } from "../../web/site/site-pictures.ts";
import type { SiteSettings } from "../../web/site/site-settings.ts";
import { anyUrl } from "../../web/urls.ts";

const IMAGES = "image/jpeg,image/png,image/webp";

interface PictureFieldsProps {
  readonly form: FormState;
  readonly messages: Messages;
  readonly site: Pick<SiteSettings, "icon" | "cover">;
  /** Whether there are posts, which can have a cover. */
  readonly hasPosts: boolean;
}

/** The logo of the site, and the cover of posts without one: each is shown, chosen and taken away. */
export function PictureFields({ form, messages, site, hasPosts }: PictureFieldsProps): Markup {
  const labels = messages.gettingIn.settings;
  const icon = ownIconUrl(site, "favicon.ico");
  const cover = site.cover === "" ? undefined : anyUrl(site.cover);
  return (
    <>
      <Field form={form} name="icon" label={labels.icon} hint={labels.iconHint}>
        {icon && <img src={icon} width={64} height={64} alt={labels.iconNow} />}
        <input {...described(form, "icon", labels.iconHint)} type="file" accept={IMAGES} />
        {icon && <Without name="icon" text={labels.withoutIcon} />}
      </Field>
      {hasPosts && (
        <Field form={form} name="cover" label={labels.cover} hint={labels.coverHint}>
          {cover && <img class="sample" src={cover} width={256} height={144} alt={labels.coverNow} />}
          <input {...described(form, "cover", labels.coverHint)} type="file" accept={IMAGES} />
          {cover && <Without name="cover" text={labels.withoutCover} />}
        </Field>
      )}
    </>
  );
}

/** A box that takes a picture away. */
function Without({ name, text }: { readonly name: "icon" | "cover"; readonly text: string }): Markup {
  return (
    <div class="picks">
      <label>
        <input type="checkbox" name={`without_${name}`} value="on" /> {text}
      </label>
    </div>
  );
}

/** The pictures of a submitted form. */
export interface SubmittedPictures {
  readonly icon?: File | undefined;
  readonly cover?: File | undefined;
  readonly without_icon?: "on" | undefined;
  readonly without_cover?: "on" | undefined;
}

/**
 * Stores the chosen pictures.
 * @returns the settings that change
 * @throws Refusal `invalid` at the field of what is no picture, or no icon
 */
export async function storePictures(
  pictures: SitePictures,
  body: SubmittedPictures,
  accountId: number | undefined,
  messages: Messages,
): Promise<{ readonly icon?: string; readonly cover?: string }> {
  const changed: { icon?: string; cover?: string } = {};
  const errors: ValidationError[] = [];
  for (const name of ["icon", "cover"] as const) {
    const file = body[name];
    if (body[`without_${name}`] !== undefined) changed[name] = "";
    // A form without a chosen file has an empty one.
    if (file === undefined || file.size === 0) continue;
    try {
      const picture = await pictures.store(new Uint8Array(await file.arrayBuffer()), accountId);
      if (name === "cover" || isSquare(picture)) changed[name] = picture.path;
      else
        errors.push({
          pointer: "/icon",
          code: "out_of_range",
          detail: messages.gettingIn.settings.notSquare(picture.width, picture.height),
        });
    } catch (error) {
      if (!(error instanceof Refusal) || !["unsupported_media_type", "too_large"].includes(error.reason))
        throw error;
      errors.push({ pointer: `/${name}`, code: "wrong_type", detail: error.message });
    }
  }
  if (errors.length > 0) throw invalid(errors);
  return changed;
}
