-- By hand: `number` is what the index knows a row by, and stays through VACUUM, as a hidden rowid need not.
CREATE TABLE `card_texts` (
	`number` integer PRIMARY KEY NOT NULL,
	`repo_id` text NOT NULL UNIQUE,
	`readme` text,
	`version` integer NOT NULL,
	`words` text NOT NULL,
	`text` text NOT NULL,
	FOREIGN KEY (`repo_id`) REFERENCES `repos`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE VIRTUAL TABLE `card_texts_index` USING fts5(`words`, content='', contentless_delete=1, prefix='2 3', tokenize='unicode61 remove_diacritics 0');
--> statement-breakpoint
CREATE TRIGGER `card_texts_added` AFTER INSERT ON `card_texts` BEGIN
	INSERT INTO `card_texts_index` (`rowid`, `words`) VALUES (new.`number`, new.`words`);
END;
--> statement-breakpoint
CREATE TRIGGER `card_texts_changed` AFTER UPDATE OF `words` ON `card_texts` BEGIN
	UPDATE `card_texts_index` SET `words` = new.`words` WHERE `rowid` = new.`number`;
END;
--> statement-breakpoint
CREATE TRIGGER `card_texts_deleted` AFTER DELETE ON `card_texts` BEGIN
	DELETE FROM `card_texts_index` WHERE `rowid` = old.`number`;
END;
