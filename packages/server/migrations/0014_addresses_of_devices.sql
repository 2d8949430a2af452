-- Stands for the address that a device asked from: wrong codes of a network do not lock the devices in it.
ALTER TABLE device_codes ADD COLUMN asked_from bytea;
