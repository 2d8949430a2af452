-- An address is compared with its domain in its own script, whichever way it was written: `ann@xn--bcher-kva.example` is
-- `ann@bücher.example`, which gets its mail. Keys that were made before have the domain as it was written. Those in their
-- script are right; here those in ASCII become so. Where both had an account the one in ASCII keeps its key, and is not
-- found by its address until it is given another.
--
-- The program of the version before finds by their address all users but those with a domain written in ASCII.

-- RFC 3492 section 6.2; null for what is no such label.
CREATE FUNCTION label_in_its_script(label text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  written text := substr(label, 5);
  basic integer := length(written) - strpos(reverse(written), '-');
  found text := '';
  at integer := 1;
  code bigint := 128;
  place bigint := 0;
  bias bigint := 72;
  before bigint;
  weight bigint;
  k bigint;
  digit bigint;
  threshold bigint;
  delta bigint;
BEGIN
  IF strpos(written, '-') > 0 THEN
    found := left(written, basic);
    at := basic + 2;
  END IF;
  IF at > length(written) THEN RETURN NULL; END IF;
  WHILE at <= length(written) LOOP
    before := place;
    weight := 1;
    k := 36;
    LOOP
      digit := strpos('abcdefghijklmnopqrstuvwxyz0123456789', substr(written, at, 1)) - 1;
      IF digit < 0 OR at > length(written) THEN RETURN NULL; END IF;
      at := at + 1;
      place := place + digit * weight;
      threshold := least(greatest(k - bias, 1), 26);
      EXIT WHEN digit < threshold;
      weight := weight * (36 - threshold);
      k := k + 36;
    END LOOP;
    delta := (place - before) / CASE WHEN before = 0 THEN 700 ELSE 2 END;
    delta := delta + delta / (length(found) + 1);
    k := 0;
    WHILE delta > 455 LOOP
      delta := delta / 35;
      k := k + 36;
    END LOOP;
    bias := k + 36 * delta / (delta + 38);
    code := code + place / (length(found) + 1);
    place := place % (length(found) + 1);
    found := left(found, place::integer) || chr(code::integer) || substr(found, place::integer + 1);
    place := place + 1;
  END LOOP;
  RETURN found;
EXCEPTION WHEN data_exception OR program_limit_exceeded THEN
  RETURN NULL;
END $$;

CREATE FUNCTION address_in_its_script(key text) RETURNS text LANGUAGE sql AS $$
  SELECT split_part(key, '@', 1) || '@' || string_agg(
    CASE WHEN label LIKE 'xn--%' THEN coalesce(label_in_its_script(label), label) ELSE label END, '.' ORDER BY n)
  FROM string_to_table(split_part(key, '@', 2), '.') WITH ORDINALITY AS labels (label, n)
$$;

DO $$
DECLARE
  held record;
BEGIN
  FOR held IN SELECT tenant_id, id, email_key FROM users WHERE email_key ~ '@(.*\.)?xn--' LOOP
    BEGIN
      UPDATE users SET email_key = address_in_its_script(email_key)
      WHERE tenant_id = held.tenant_id AND id = held.id AND email_key = held.email_key;
    EXCEPTION WHEN unique_violation THEN
      NULL;
    END;
  END LOOP;
END $$;

UPDATE organization_invitations SET invitee_key = address_in_its_script(invitee_key)
WHERE invitee_key ~ '@(.*\.)?xn--';

DROP FUNCTION address_in_its_script(text);
DROP FUNCTION label_in_its_script(text);
