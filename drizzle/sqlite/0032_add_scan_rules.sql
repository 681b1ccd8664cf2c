CREATE TABLE `scan_rules` (
	`module` text NOT NULL,
	`name` text NOT NULL,
	`safety` text NOT NULL,
	`note` text,
	`set_by` text,
	`set_at` integer NOT NULL,
	PRIMARY KEY(`module`, `name`)
);
